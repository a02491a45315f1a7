import { events, type EventName } from '../../nodes/LinkTrigger/events';

/** The values of all events, in the order of the table of events. */
export const eventNames = events.map(({ value }) => value) as EventName[];
