package io.berth.app;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Use;
import io.berth.server.http.Call;
import io.berth.workloads.http.Request;

/// Charges a request of the workload API to who sent it: in the memory that all listeners of the
/// process share, and in the lanes of this one.
final class WorkloadSender implements Request.Sender {

  /// Accounts of this API are not the users of the other.
  private static final String PREFIX = "workloads:";

  private final Call call;
  private final Budget reads;
  private final Budget writes;

  WorkloadSender(Call call, Budget reads, Budget writes) {
    this.call = call;
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public void isKnownAs(String account) {
    call.visitor().isKnownAs(PREFIX + account);
  }

  @Override
  public byte[] body(Request request, int most) {
    call.visitor().take(Use.HEADS, call.headBytes());
    return call.body().read(most);
  }

  @Override
  public Request.Place enter(boolean write) {
    var lane = write ? writes : reads;
    var owner = call.visitor().owner();
    if (!lane.take(owner, 1)) {
      throw new ApiException(
          429,
          "TooManyRequests",
          "Too many requests, please try again later.",
          Tree.of("retryAfterSeconds", 1));
    }
    return () -> lane.release(owner, 1);
  }
}
