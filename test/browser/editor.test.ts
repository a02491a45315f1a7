import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beginning } from './scenes/beginning.ts';
import { creating } from './scenes/creating.ts';
import { examples } from './scenes/examples.ts';
import { newcomer } from './scenes/newcomer.ts';
import { outsideTexts } from './scenes/outsideTexts.ts';
import { picking } from './scenes/picking.ts';
import { recording } from './scenes/recording.ts';
import { fromSheet } from './scenes/sheet.ts';
import { syncing } from './scenes/syncing.ts';
import { triggering } from './scenes/triggering.ts';
import { pictureFolder, taken } from './support/pictures.ts';
import { useStage } from './support/stage.ts';

// One file, because starting n8n takes longer than most of the scenes.
const stage = useStage();
newcomer(stage);
beginning(stage);
creating(stage);
picking(stage);
outsideTexts(stage);
syncing(stage);
triggering(stage);
examples(stage);
fromSheet(stage);
recording(stage);

// A test of the repository compares the pictures with the documentation.
it('the pictures of the documentation are all taken by this run, and small enough for a page', () => {
	expect(readdirSync(pictureFolder).sort()).toEqual([...taken].sort());
	const pictures = [...taken].filter((name) => name !== 'sheet-to-links.png');
	const sizes = pictures.map((name) => statSync(join(pictureFolder, name)).size);
	expect(Math.max(...sizes)).toBeLessThan(150_000);
});
