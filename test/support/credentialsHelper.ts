import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

/** n8n's access to credentials, holding one that a test gives; anything but reading and using it fails. */
export class CredentialsHelper extends ICredentialsHelper {
	private readonly data: ICredentialDataDecryptedObject;
	private readonly sign: (request: IHttpRequestOptions) => Promise<IHttpRequestOptions>;

	constructor(
		data: ICredentialDataDecryptedObject,
		sign: (request: IHttpRequestOptions) => Promise<IHttpRequestOptions>,
	) {
		super();
		this.data = data;
		this.sign = sign;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		_credentials: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await this.sign(request);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.data };
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('n8n asked for the stored credential, which these tests do not provide');
	}

	async updateCredentials(): Promise<void> {
		throw new Error('n8n wanted to change the credential');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('n8n wanted to change the credential');
	}

	getCredentialsProperties(): INodeProperties[] {
		return [];
	}
}
