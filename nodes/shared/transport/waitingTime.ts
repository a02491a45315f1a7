/** A period on one clock, in milliseconds. */
export interface Period {
	readonly from: number;
	readonly to: number;
}

/**
 * The milliseconds that one row has waited for the service, over all its requests. Overlapping periods count once, because
 * requests of a row may wait at the same time.
 */
export class WaitingTime {
	total = 0;

	/** Periods that do not overlap. */
	private periods: Period[] = [];

	/** Returns the total with another period, without adding it. */
	totalWith(from: number, to: number): number {
		if (to <= from) return this.total;
		let total = this.total + to - from;
		for (const period of this.periods) {
			total -= Math.max(0, Math.min(period.to, to) - Math.max(period.from, from));
		}
		return total;
	}

	/** Adds a period. Ignores a period that ends before it begins. */
	add(from: number, to: number): void {
		if (to <= from) return;
		this.total = this.totalWith(from, to);
		const isApart = (period: Period) => period.to < from || period.from > to;
		const joined = this.periods
			.filter((period) => !isApart(period))
			.reduce(
				(all, period) => ({
					from: Math.min(all.from, period.from),
					to: Math.max(all.to, period.to),
				}),
				{ from, to },
			);
		this.periods = [...this.periods.filter(isApart), joined];
	}
}
