import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/sameResource';
import { fieldsNamed, type EncodedRow } from '../contract/encodedRow';

/** Finds the resources that a list has of a row. */
type Candidates = (row: EncodedRow) => readonly IDataObject[];

/** Number of votes for each reading. */
type Votes = Map<string, number>;

function vote(votes: Votes, reading: string | undefined): void {
	if (reading !== undefined) votes.set(reading, (votes.get(reading) ?? 0) + 1);
}

/** Returns the reading with the most votes; undefined if several have as many. */
function winnerOf(votes: Votes): string | undefined {
	const [first, second] = [...votes].sort(([, one], [, other]) => other - one);
	return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

/** Returns the only resource of a row, if the row sends a value that can be read in more than one way. */
function ambiguousResource(row: EncodedRow, candidatesFor: Candidates): IDataObject | undefined {
	if (fieldsNamed(row, row.contract.ambiguous?.keys ?? []).length === 0) return undefined;
	const [one, ...others] = candidatesFor(row).filter((resource) => isSame(row, resource));
	return others.length === 0 ? one : undefined;
}

/** Returns whether the reading decides if a row has something to write, so that the answers to other rows come first. */
export function isInterpretationDecisive(row: EncodedRow, candidatesFor: Candidates): boolean {
	const one = ambiguousResource(row, candidatesFor);
	return one !== undefined && row.contract.ambiguous?.interpretationOf(row, one) !== undefined;
}

/** Learns in one run how the service means a value that can be read in more than one way. */
export class InterpretationVotes {
	private readonly listed: Votes = new Map();

	private readonly answered: Votes = new Map();

	/** Number of rows that agree with the service about the value. */
	private agreements = 0;

	/** How far the answers to the other rows are off. */
	readonly offsets: number[] = [];

	/** Number of resources of the list by how far they are off. */
	private readonly listedOffsets = new Map<number, number>();

	/** Returns whether several resources of the list are off by the same; true if no list was read. */
	readonly isSharedOffset = (offset: number): boolean =>
		this.listedOffsets.size === 0 || (this.listedOffsets.get(offset) ?? 0) > 1;

	/** Whether any row agrees with the service. */
	get hasAgreement(): boolean {
		return this.agreements > 0;
	}

	/** Learns from the resources that a list has of rows. */
	addList(rows: readonly EncodedRow[], candidatesFor: Candidates): void {
		for (const row of rows) {
			const { ambiguous } = row.contract;
			const one = ambiguousResource(row, candidatesFor);
			if (!ambiguous || !one) continue;
			const offset = ambiguous.offsetOf(row, one);
			if (offset === 0) this.agreements += 1;
			if (offset !== undefined) {
				this.listedOffsets.set(offset, (this.listedOffsets.get(offset) ?? 0) + 1);
			}
			vote(this.listed, ambiguous.interpretationOf(row, one));
		}
	}

	/**
	 * Learns from the answer to a write. It outweighs the list only if the value has really changed.
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
			vote(this.answered, ambiguous.interpretationOf(sent, answer));
		}
	}

	/** Returns the row with the reading that most answers support, or else most of the list, for a comparison. */
	applyTo(row: EncodedRow): EncodedRow {
		const reading = winnerOf(this.answered) ?? winnerOf(this.listed);
		return reading === undefined
			? row
			: { ...row, options: { ...row.options, interpretation: reading } };
	}
}
