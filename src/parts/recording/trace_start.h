/* STINT_TRACE: writes every event to a file. */
#ifndef STINT_RECORDING_TRACE_START_H
#define STINT_RECORDING_TRACE_START_H

int stint_recording_is_on(void);

#endif
