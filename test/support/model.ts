import Fastify from 'fastify';

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

/** Part of a request to OpenAI's Responses API, which n8n's OpenAI Chat Model node speaks. */
interface ResponsesRequest {
	model: string;
	input: { type?: string; output?: string }[];
	tools?: OfferedTool[];
}

const outputOf = (turn: Turn, number: number) =>
	typeof turn === 'string'
		? {
				type: 'message',
				id: `msg_${number}`,
				status: 'completed',
				role: 'assistant',
				content: [{ type: 'output_text', text: turn, annotations: [] }],
			}
		: {
				type: 'function_call',
				id: `fc_${number}`,
				call_id: `call_${number}`,
				status: 'completed',
				name: turn.name,
				arguments: JSON.stringify(turn.arguments),
			};

/** A language model that follows a script, on any free loopback port; `url` is what an OpenAI credential takes. */
export async function startModel() {
	const app = Fastify();
	const requests: ModelRequest[] = [];
	let script: Step[] = [];

	app.post<{ Body: ResponsesRequest }>('/v1/responses', async ({ body }, reply) => {
		const results = body.input
			.filter(({ type }) => type === 'function_call_output')
			.map(({ output }) => String(output));
		const request: ModelRequest = { tools: body.tools ?? [], results };
		const number = requests.push(request);
		const step = script[number - 1];
		// A client error, because the client would repeat the request after a server error.
		if (!step) return await reply.code(400).send({ error: { message: 'The script has ended' } });
		return {
			id: `resp_${number}`,
			object: 'response',
			created_at: 0,
			status: 'completed',
			model: body.model,
			output: [outputOf(step(request), number)],
			usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
		};
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
