package io.berth.store;

import java.time.Duration;
import java.util.List;

/// What opening a durable store found and did.
///
/// `notes` are for people: a tail that was cut off, a shutdown that was not clean.
public record OpenReport(
    long revision, long compactedRevision, int objects, Duration took, List<String> notes) {}
