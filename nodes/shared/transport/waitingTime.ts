/** A period on one clock, in milliseconds. */
export interface Period {
	readonly from: number;
	readonly to: number;
}

/**
 * The time that one row has waited for the service, over all its requests, in milliseconds. Periods that overlap count once,
 * because requests of a row may wait at the same time.
 */
export class WaitingTime {
	total = 0;

	/** They do not overlap. */
	private periods: Period[] = [];

	/** Returns the total as it would be with another period. */
	totalWith(from: number, to: number): number {
		if (to <= from) return this.total;
		let total = this.total + to - from;
		for (const period of this.periods) {
			total -= Math.max(0, Math.min(period.to, to) - Math.max(period.from, from));
		}
		return total;
	}

	/** Adds a period; one that ends before it begins is empty. */
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
