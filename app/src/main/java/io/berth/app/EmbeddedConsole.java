package io.berth.app;

import io.berth.answers.source.Survey;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.console.Console;
import io.berth.console.ConsoleSettings;
import io.berth.console.Material;
import io.berth.console.ServerHostApi;
import io.berth.console.answer.Answering;
import io.berth.console.answer.LiveAnswers;
import io.berth.console.answer.SurveyedAnswers;
import io.berth.console.session.Sessions;
import io.berth.controllers.kubelet.NodeFleet;
import io.berth.server.ApiServer;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The console of `berth up`, on the API's own address.
final class EmbeddedConsole {

  private static final String COMPONENT = "berth-console";

  private EmbeddedConsole() {}

  /// `components` are those of the cluster; `null` where there is the API alone.
  static Console of(ApiServer server, String url, int port, @Nullable Components components) {
    var clock = InstantSource.system();
    var cluster = new InProcessCluster(server.registry(), COMPONENT, clock);
    return new Console(
        new ServerHostApi(server),
        new Sessions(clock),
        new ConsoleSettings(String.valueOf(port), url, Set.of(), false),
        new Material(
            cluster, answers(cluster, components, clock), fleet -> NodeFleet.of(fleet).nodes()));
  }

  private static Answering answers(
      InProcessCluster cluster, @Nullable Components components, InstantSource clock) {
    return components == null
        ? new SurveyedAnswers(
            cluster, MachineSurveys.resources(), Survey.Settings.DEFAULT::withRevision, clock)
        : new LiveAnswers(components.live());
  }
}
