package io.berth.placement.run;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedResources;
import io.berth.api.ApiException;
import io.berth.cluster.Cluster.Selection;
import io.berth.placement.check.Situation;
import io.berth.placement.virtual.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes pictures of a cluster for checks.
public final class Situations {

  private final VirtualCluster cluster;
  private final Survey.Settings settings;

  /// `options` are those the cluster was started with.
  public Situations(VirtualCluster cluster, VirtualCluster.Options options) {
    this.cluster = cluster;
    this.settings = Survey.Settings.DEFAULT.withConfiguration(options.configuration());
  }

  /// The cluster as it is now; `before` is how it was at the beginning.
  public Situation situation(@Nullable Situation before) {
    var manifests = new ArrayList<Manifest>();
    for (var resource : SurveyedResources.ALL) {
      try {
        for (var object : cluster.api().list(resource, "", Selection.ALL).items()) {
          manifests.add(Manifest.ofCluster(object));
        }
      } catch (ApiException e) {
        // Not every cluster serves all kinds; what is not served is not there.
        if (!e.is("NotFound")) {
          throw e;
        }
      }
    }
    return new Situation(Survey.of(manifests, settings, List.of()), before);
  }
}
