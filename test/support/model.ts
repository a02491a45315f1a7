import Fastify, { type FastifyReply } from 'fastify';

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

/** OpenAI's Responses API, as far as n8n's OpenAI Chat Model node uses it. */
interface ResponsesRequest {
	input: { type?: string; output?: string }[];
	tools?: OfferedTool[];
}

function responsesAnswer(turn: Turn, number: number) {
	const output =
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
	return {
		id: `resp_${number}`,
		object: 'response',
		created_at: 0,
		status: 'completed',
		output: [output],
		usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
	};
}

/** OpenAI's Chat Completions API, which versions of that node before 1.3 speak. */
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

/** A language model that follows a script, on any free loopback port; `url` is what an OpenAI credential takes. */
export async function startModel() {
	const app = Fastify();
	const requests: ModelRequest[] = [];
	let script: Step[] = [];

	/** Takes the next turn of the script. */
	async function play(
		reply: FastifyReply,
		request: ModelRequest,
		answer: (turn: Turn, number: number) => object,
	) {
		const number = requests.push(request);
		const step = script[number - 1];
		// A client error, because the client would repeat the request after a server error.
		if (!step) return await reply.code(400).send({ error: { message: 'The script has ended' } });
		return answer(step(request), number);
	}

	app.post<{ Body: ResponsesRequest }>('/v1/responses', async ({ body }, reply) => {
		const results = body.input
			.filter(({ type }) => type === 'function_call_output')
			.map(({ output }) => String(output));
		return await play(reply, { tools: body.tools ?? [], results }, responsesAnswer);
	});
	app.post<{ Body: CompletionsRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		const tools = (body.tools ?? []).map((tool) => tool.function);
		const results = body.messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => content);
		return await play(reply, { tools, results }, completionsAnswer);
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
