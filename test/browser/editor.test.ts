import { beginning } from './scenes/beginning.ts';
import { creating } from './scenes/creating.ts';
import { examples } from './scenes/examples.ts';
import { newcomer } from './scenes/newcomer.ts';
import { outsideTexts } from './scenes/outsideTexts.ts';
import { picking } from './scenes/picking.ts';
import { pictures } from './scenes/pictures.ts';
import { recording } from './scenes/recording.ts';
import { fromSheet } from './scenes/sheet.ts';
import { syncing } from './scenes/syncing.ts';
import { triggering } from './scenes/triggering.ts';
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
pictures();
