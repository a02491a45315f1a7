import type { INodePropertyOptions } from 'n8n-workflow';
import { choiceByName } from '../shared/contract/codecs/scalar';

/** The tracking services of the contract (2.2), under the names of their pixels. */
export const types: INodePropertyOptions[] = [
	{ name: 'AdRoll Pixel', value: 'adroll' },
	{ name: 'Google Ads', value: 'google-ads' },
	{ name: 'Google Analytics', value: 'google-analytics' },
	{ name: 'Google Tag Manager', value: 'google-tag-manager' },
	{ name: 'LinkedIn Insight Tag', value: 'linkedin' },
	{ name: 'Meta Pixel (Facebook)', value: 'facebook' },
	{ name: 'Microsoft UET Tag (Bing)', value: 'bing' },
	{ name: 'Pinterest Tag', value: 'pinterest' },
	{ name: 'Quora Pixel', value: 'quora' },
	{ name: 'X Pixel (Twitter)', value: 'twitter' },
];

/** Encodes a type from its value, its label or another name of the tracking service. */
export const typeCodec = choiceByName({
	adroll: 'AdRoll, NextRoll',
	bing: 'Bing, Bing Ads, Bing Pixel, Bing UET, Microsoft, Microsoft Ads, Microsoft Advertising, Microsoft UET, Microsoft UET Tag, UET, UET Tag',
	facebook:
		'Facebook, Facebook Ads, Facebook Pixel, FB, FB Pixel, Meta, Meta Ads, Meta Pixel, Facebook (Meta), Facebook Pixel (Meta), Meta (Facebook)',
	'google-ads': 'AdWords, Google AdWords, Google Ads Tag, Google Ads Pixel',
	'google-analytics': 'Analytics, GA, GA4, Google Analytics 4, Google Analytics (GA4)',
	'google-tag-manager': 'GTM, Tag Manager, Google Tag Manager (GTM)',
	linkedin: 'Insight Tag, LinkedIn, LinkedIn Ads, LinkedIn Insight, LinkedIn Pixel',
	pinterest: 'Pinterest, Pinterest Ads, Pinterest Pixel',
	quora: 'Quora, Quora Ads',
	twitter:
		'Twitter, Twitter Ads, Twitter Pixel, Twitter (X), X, X Ads, X Pixel, X (Twitter), Twitter Pixel (X)',
});
