import {
	canGainLinks,
	type Detector,
	type DetectorContext,
	type ScanPart,
	type StoredDetector,
} from '../detectors/detector';
import { IdList } from './idList';
import { ListScan } from './listScan';
import type { PollRequests } from './pollRequests';

/** Reads all links, some pages in each poll, for the detectors that need to see each link. */
export class FullScan implements Detector {
	private readonly context: DetectorContext;

	private readonly detectors: readonly Detector[];

	private readonly listScan: ListScan;

	/** @throws SyntaxError if the stored state is broken */
	constructor(
		context: DetectorContext,
		detectors: readonly Detector[],
		stored: StoredDetector | undefined,
	) {
		this.context = context;
		this.detectors = detectors;
		this.listScan = new ListScan(stored);
	}

	store(): StoredDetector {
		return this.listScan.store();
	}

	async poll(requests: PollRequests): Promise<void> {
		const { listScan, context } = this;
		// Each page can change the pages that the detectors need.
		const parts = () =>
			this.detectors.flatMap((detector): ScanPart[] => [detector.scan ?? []].flat());
		if (parts().some(({ isNew }) => isNew)) listScan.restart();
		const list = new IdList(requests, context.params);
		const needsContinuity = () =>
			canGainLinks(context) && parts().some((part) => part.needsContinuity);
		const pages = () => parts().reduce((most, part) => Math.max(most, part.pages), 0);
		for (let read = 0; read < pages(); read += 1) {
			const page = await listScan.read(list, needsContinuity);
			for (const part of parts()) await part.scanPage(page, requests);
			if (!listScan.advance(page)) continue;
			for (const part of parts()) part.endRound?.();
			return;
		}
	}
}
