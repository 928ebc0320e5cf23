package io.berth.console;

import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.console.answer.Answering;
import java.util.List;
import java.util.function.Function;

/// What a console tells of: a cluster that it reads, and an engine that it asks. Both know more
/// than any caller may see.
///
/// @param fleets makes nodes of a NodeFleet, for what-ifs
public record Material(Cluster cluster, Answering answers, Function<Tree, List<Tree>> fleets) {}
