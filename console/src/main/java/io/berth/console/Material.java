package io.berth.console;

import io.berth.cluster.Cluster;
import io.berth.console.answer.Answering;

/// What a console tells of: a cluster that it reads, and an engine that it asks. Both know more than
/// any caller may see.
public record Material(Cluster cluster, Answering answers) {}
