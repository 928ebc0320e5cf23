package io.berth.answers.source;

import io.berth.api.Resource;
import io.berth.codec.ClusterKind;
import java.util.List;
import java.util.stream.Stream;

/// What has to be read of a cluster: what placement follows from, and who makes pods of which
/// template.
public final class SurveyedResources {

  public static final List<Resource> ALL =
      Stream.concat(
              ClusterKind.ALL.stream().map(ClusterKind::resource),
              Stream.of(
                  Resource.DEPLOYMENTS,
                  Resource.DAEMON_SETS,
                  Resource.JOBS,
                  Resource.CRON_JOBS,
                  Resource.PRIORITY_CLASSES))
          .toList();

  private SurveyedResources() {}
}
