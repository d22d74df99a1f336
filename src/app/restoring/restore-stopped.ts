import { AppError } from '../../base/index.ts';

/** The end of a restore that goes on with a resume; its hint says what to do. */
export class RestoreStopped extends AppError {}
