import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/sameResource';
import { fieldsNamed, type EncodedRow } from '../contract/encodedRow';

/** Returns the resources of a list that a row may mean. */
type Candidates = (row: EncodedRow) => readonly IDataObject[];

/** Number of votes for each interpretation. */
type Votes = Map<string, number>;

function addVote(votes: Votes, interpretation: string | undefined): void {
	if (interpretation !== undefined) votes.set(interpretation, (votes.get(interpretation) ?? 0) + 1);
}

/** Returns the interpretation with the most votes; undefined in a tie. */
function winnerOf(votes: Votes): string | undefined {
	const [first, second] = [...votes].sort(([, a], [, b]) => b - a);
	return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

/** Returns the only resource of a row, if the row sends an ambiguous value. */
function ambiguousResource(row: EncodedRow, candidatesFor: Candidates): IDataObject | undefined {
	if (fieldsNamed(row, row.contract.ambiguous?.keys ?? []).length === 0) return undefined;
	const [match, ...more] = candidatesFor(row).filter((resource) => isSame(row, resource));
	return more.length === 0 ? match : undefined;
}

/** Returns whether the interpretation decides if a row writes, so that the row waits for the responses to other rows. */
export function isInterpretationDecisive(row: EncodedRow, candidatesFor: Candidates): boolean {
	const resource = ambiguousResource(row, candidatesFor);
	return (
		resource !== undefined && row.contract.ambiguous?.interpretationOf(row, resource) !== undefined
	);
}

/** Learns in one run how the service interprets an ambiguous value. */
export class InterpretationVotes {
	private readonly listed: Votes = new Map();

	private readonly answered: Votes = new Map();

	/** Number of rows that agree with the service about the value. */
	private agreements = 0;

	/** The offsets of the responses to the other rows. */
	readonly offsets: number[] = [];

	/** Number of resources of the list by their offset. */
	private readonly listedOffsets = new Map<number, number>();

	/** Returns whether several resources of the list have the same offset; true if no list was read. */
	readonly isSharedOffset = (offset: number): boolean =>
		this.listedOffsets.size === 0 || (this.listedOffsets.get(offset) ?? 0) > 1;

	/** Whether any row agrees with the service. */
	get hasAgreement(): boolean {
		return this.agreements > 0;
	}

	/** Learns from the resources of a list. */
	addList(rows: readonly EncodedRow[], candidatesFor: Candidates): void {
		for (const row of rows) {
			const { ambiguous } = row.contract;
			const resource = ambiguousResource(row, candidatesFor);
			if (!ambiguous || !resource) continue;
			const offset = ambiguous.offsetOf(row, resource);
			if (offset === 0) this.agreements += 1;
			if (offset !== undefined) {
				this.listedOffsets.set(offset, (this.listedOffsets.get(offset) ?? 0) + 1);
			}
			addVote(this.listed, ambiguous.interpretationOf(row, resource));
		}
	}

	/**
	 * Learns from the response to a write. It takes precedence over the list only if the value changed.
	 *
	 * @param sent the row with the fields that were written
	 * @param before the resource before an update, if it was read
	 */
	addAnswer(sent: EncodedRow, answer: IDataObject, before: IDataObject | undefined): void {
		const { ambiguous } = sent.contract;
		const offset = ambiguous?.offsetOf(sent, answer);
		if (!ambiguous || offset === undefined) return;
		if (offset === 0) this.agreements += 1;
		else this.offsets.push(offset);
		if (!before || ambiguous.isChanged(before, answer)) {
			addVote(this.answered, ambiguous.interpretationOf(sent, answer));
		}
	}

	/** Returns the row with the most frequent interpretation: of the responses, or else of the resources in the list. */
	applyTo(row: EncodedRow): EncodedRow {
		const interpretation = winnerOf(this.answered) ?? winnerOf(this.listed);
		return interpretation === undefined
			? row
			: { ...row, options: { ...row.options, interpretation } };
	}
}
