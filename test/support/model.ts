import Fastify from 'fastify';
import type { ExampleNode } from './exampleFiles.ts';

/** What a scripted model does in one turn: call a tool, or end with a text. */
export type Turn = { name: string; arguments: Record<string, unknown> } | string;

/** A tool as the model is offered it. */
export interface OfferedTool {
	name: string;
	description: string;
	/** JSON schema. */
	parameters: {
		properties: Record<string, { type?: string; description?: string; default?: unknown }>;
		required?: string[];
	};
}

/** One request to the model, reduced to what a model sees. */
export interface ModelRequest {
	tools: OfferedTool[];
	/** What the tools answered in this conversation so far, oldest first. */
	results: string[];
}

/** One turn, made of what the model was just told. */
export type Step = (request: ModelRequest) => Turn;

/** OpenAI's Chat Completions API, as far as n8n's OpenAI Chat Model node uses it. */
interface CompletionsRequest {
	messages: { role: string; content: string }[];
	tools?: { function: OfferedTool }[];
}

function completionsAnswer(turn: Turn, number: number) {
	const called = typeof turn === 'string' ? undefined : turn;
	const toolCalls = called && [
		{
			id: `call_${number}`,
			type: 'function',
			function: { name: called.name, arguments: JSON.stringify(called.arguments) },
		},
	];
	return {
		id: `chatcmpl_${number}`,
		object: 'chat.completion',
		created: 0,
		choices: [
			{
				index: 0,
				finish_reason: toolCalls ? 'tool_calls' : 'stop',
				message: {
					role: 'assistant',
					content: typeof turn === 'string' ? turn : null,
					...(toolCalls ? { tool_calls: toolCalls } : {}),
				},
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** Makes the node OpenAI Chat Model use this API instead of the Responses API. */
export const useCompletions = ({ parameters }: ExampleNode): void => {
	parameters.responsesApiEnabled = false;
};

/** A language model that follows a script, on any free loopback port; `url` is what an OpenAI credential takes. */
export async function startModel() {
	const app = Fastify();
	const requests: ModelRequest[] = [];
	let script: Step[] = [];

	app.post<{ Body: CompletionsRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		const tools = (body.tools ?? []).map((tool) => tool.function);
		const results = body.messages.filter(({ role }) => role === 'tool');
		const request = { tools, results: results.map(({ content }) => content) };
		const number = requests.push(request);
		const step = script[number - 1];
		// A client error, because the client would repeat the request after a server error.
		if (!step) return await reply.code(400).send({ error: { message: 'The script has ended' } });
		return completionsAnswer(step(request), number);
	});

	const origin = await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `${origin}/v1`,
		/** Of the present script, in order of arrival. */
		requests,
		/** Begins a new script. */
		follow(steps: Step[]) {
			script = steps;
			requests.length = 0;
		},
		async stop() {
			app.server.closeAllConnections();
			await app.close();
		},
	};
}
