/// Replays requests whose answers a real Kubernetes 1.37.1 API server gave, in this process.
///
/// Start at [RecordedAnswersTest].
@NullMarked
package io.berth.server.replay;

import org.jspecify.annotations.NullMarked;
