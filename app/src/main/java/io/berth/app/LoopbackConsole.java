package io.berth.app;

import io.berth.answers.source.Survey;
import io.berth.api.Resource;
import io.berth.cli.Consoles;
import io.berth.cli.UserError;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.AccessException;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.console.Console;
import io.berth.console.ConsoleSettings;
import io.berth.console.Loopback;
import io.berth.console.Material;
import io.berth.console.answer.SurveyedAnswers;
import io.berth.console.session.Sessions;
import io.berth.controllers.kubelet.NodeFleet;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.http.Endpoint;
import io.berth.server.http.HttpFront;
import io.berth.server.rest.Refusals;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A console on loopback over any Kubernetes, with the rights of a kubeconfig.
///
/// It listens before it knows its own port, by which it must be called; until then nobody is
/// answered.
final class LoopbackConsole implements Consoles.Running {

  private final KubernetesCluster cluster;
  private final Sessions sessions;
  private final KubeconfigHostApi host;
  private final HttpFront front;
  private final Console console;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile @Nullable Endpoint endpoint;

  LoopbackConsole(Path kubeconfig, boolean readOnly) {
    var clock = InstantSource.system();
    try {
      var access = Access.kubeconfig(kubeconfig, "");
      this.cluster = new KubernetesCluster(access, "berth-console", Set.of("managedFields"));
      this.sessions = new Sessions(clock);
      this.host = new KubeconfigHostApi(cluster, clock);
      checkRights();
      this.front = HttpFront.startPlain(0, this::answer, new Memory(Budget.ofHeap()));
      var hosts = Set.of("127.0.0.1:" + front.port(), "localhost:" + front.port());
      var settings =
          new ConsoleSettings(
              String.valueOf(front.port()), access.server().toString(), hosts, readOnly);
      this.console =
          new Console(
              host,
              sessions,
              settings,
              new Material(cluster, answers(clock), fleet -> NodeFleet.of(fleet).nodes()));
      this.endpoint = new Loopback(console);
    } catch (AccessException | UncheckedIOException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    } catch (UserError e) {
      throw e;
    } catch (Exception e) {
      throw new UserError("cannot listen on loopback: " + e.getMessage());
    }
  }

  /// Pods are followed in all namespaces at once.
  private void checkRights() {
    for (var resource : Set.of(Resource.PODS, Resource.NODES, Resource.REPLICA_SETS)) {
      if (!host.allows(host.identify(host.credential()), "list", resource, "", "")) {
        throw new UserError(
            "the kubeconfig's user may not list %s in all namespaces, which the console needs; ask"
                    .formatted(resource.qualified())
                + " for a role such as 'view' for the whole cluster, and for reading nodes");
      }
    }
  }

  private SurveyedAnswers answers(InstantSource clock) {
    return new SurveyedAnswers(
        cluster, MachineSurveys.resources(), Survey.Settings.DEFAULT::withRevision, clock);
  }

  private Answer answer(Call call) {
    var ready = endpoint;
    return ready == null
        ? Refusals.answer(
            new io.berth.api.ApiException(503, "ServiceUnavailable", "the console starts"))
        : ready.answer(call);
  }

  @Override
  public String invitation() {
    return "http://127.0.0.1:%d/#%s".formatted(front.port(), sessions.code(host.credential()));
  }

  @Override
  public void awaitStop() throws InterruptedException {
    Interruption.stopsBy(stop::countDown);
    stop.await();
  }

  @Override
  public void close() {
    front.close();
    console.close();
    cluster.close();
  }
}
