import { appearance } from './scenes/appearance.ts';
import { creating } from './scenes/creating.ts';
import { helping } from './scenes/helping.ts';
import { newcomer } from './scenes/newcomer.ts';
import { picking } from './scenes/picking.ts';
import { pictures } from './scenes/pictures.ts';
import { resuming } from './scenes/resuming.ts';
import { searching } from './scenes/searching.ts';
import { syncing } from './scenes/syncing.ts';
import { triggering } from './scenes/triggering.ts';
import { useStage } from './support/stage.ts';

// One file, because starting n8n takes longer than most of the scenes.
const stage = useStage();
newcomer(stage);
creating(stage);
picking(stage);
helping(stage);
resuming(stage);
searching(stage);
syncing(stage);
triggering(stage);
appearance(stage);
pictures();
