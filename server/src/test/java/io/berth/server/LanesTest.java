package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.server.budget.Owner;
import io.berth.server.http.Answer;
import io.berth.server.request.Query;
import io.berth.server.request.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LanesTest {

  private static final Owner VIEWER = Owner.known("viewer");

  private final Lanes lanes = new Lanes(1);

  @Test
  void aFloodOfListsDoesNotStopHeartbeats() {
    var list = RequestInfo.parse("GET", "/api/v1/pods", Query.parse(""));
    // Many users, since none of them gets the whole lane.
    for (int i = 0; i < Limits.READS; i++) {
      var _ = lanes.enter(list, Owner.known("user-" + i));
    }

    assertThatThrownBy(() -> lanes.enter(list, VIEWER))
        .hasMessage("Too many requests, please try again later.");
    lanes
        .enter(RequestInfo.parse("PUT", "/api/v1/nodes/n/status", Query.parse("")), VIEWER)
        .close();
    lanes
        .enter(RequestInfo.parse("POST", "/api/v1/namespaces/d/pods", Query.parse("")), VIEWER)
        .close();
    assertThat(lanes.readsInFlight()).isEqualTo(Limits.READS);
  }

  @Test
  void aFloodOfListsOfLeasesDoesNotEither() {
    var leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    var list = RequestInfo.parse("GET", leases, Query.parse(""));
    for (int i = 0; i < Limits.HEARTBEATS; i++) {
      var _ = lanes.enter(list, VIEWER);
    }

    lanes.enter(RequestInfo.parse("PUT", leases + "/n", Query.parse("")), VIEWER).close();
    assertThat(lanes.readsInFlight()).isEqualTo(Limits.HEARTBEATS);
  }

  @Test
  void otherServersThatDoNotAnswerHoldUpNothingElse() {
    for (int i = 0; i < Limits.REMOTE_CALLS; i++) {
      var _ = lanes.forward(Owner.known("user-" + i));
    }

    assertThatThrownBy(() -> lanes.forward(VIEWER))
        .hasMessage("Too many requests, please try again later.");
    lanes.enter(RequestInfo.parse("GET", "/api/v1/pods", Query.parse("")), VIEWER).close();
  }

  @Test
  void aWatchHoldsItsPlaceUntilItEnds() throws Exception {
    var open = new ArrayList<Integer>();
    var nested = new ArrayList<String>();
    var watch =
        lanes.counted(
            stream(outlet -> {
              open.add(lanes.streamsOpen());
              try {
                lanes.counted(stream(_ -> {}), VIEWER);
              } catch (io.berth.api.ApiException e) {
                nested.add(e.reason());
              }
            }),
            VIEWER);

    assertThat(TestServer.frames(watch)).isEmpty();
    assertThat(open).containsExactly(1);
    assertThat(nested).containsExactly("TooManyRequests");
    assertThat(lanes.streamsOpen()).isZero();
  }

  private static Answer stream(Answer.Frames frames) {
    return new Answer.Stream(200, List.of(), frames);
  }
}
