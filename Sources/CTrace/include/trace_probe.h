#pragma once

/// Tells whether this process may trace one that it starts: 0, or the error number that refuses it.
///
/// Starts a child that waits, seizes it, and ends it.
int mp_trace_probe(void);
