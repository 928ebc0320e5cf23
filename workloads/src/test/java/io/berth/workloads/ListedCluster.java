package io.berth.workloads;

import io.berth.answers.live.Happening;
import io.berth.answers.live.Hearing;
import io.berth.answers.live.LiveSource;
import io.berth.answers.source.Survey;
import io.berth.api.ApiException;
import io.berth.api.ObjectReference;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.codec.ClusterKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A cluster without a scheduler: it is listed anew for every question.
record ListedCluster(Cluster cluster) implements LiveSource {

  @Override
  public Scheduling now() {
    return new Scheduling(new Hearing(), Survey.Settings.DEFAULT);
  }

  @Override
  public void begin(Hearing hearing) {
    var all = new ArrayList<Happening>();
    for (var kind : ClusterKind.ALL) {
      all(kind.name()).forEach(tree -> all.add(new Happening.Put(kind.read(tree), 0)));
    }
    hearing.begin(all);
  }

  @Override
  public long revision() {
    return Long.parseLong(cluster.list(Resource.NODES, "", Selection.ALL).revision());
  }

  @Override
  public Optional<Tree> find(ObjectReference reference) {
    return all(reference.kind()).stream()
        .filter(each -> each.textOrEmpty("metadata", "name").equals(reference.name()))
        .filter(each -> each.textOrEmpty("metadata", "namespace").equals(reference.namespace()))
        .findFirst();
  }

  @Override
  public List<Tree> all(String kind) {
    var known = ClusterKind.find(kind);
    try {
      return known.isEmpty()
          ? List.of()
          : cluster.list(known.get().resource(), "", Selection.ALL).items();
    } catch (ApiException e) {
      return List.of();
    }
  }

  @Override
  public List<String> kinds() {
    return ClusterKind.ALL.stream().map(ClusterKind::name).toList();
  }
}
