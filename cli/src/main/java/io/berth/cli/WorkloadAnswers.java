package io.berth.cli;

import io.berth.api.Tree;
import java.nio.file.Path;

/// What commands read from a workload API.
public interface WorkloadAnswers {

  /// The answer to a GET. A refusal, or nobody who answers, is a [UserError].
  Tree get(Login login, String path);

  /// Where it is and who asks; `authority` is the file with the certificate to trust.
  record Login(String url, String clientId, String clientSecret, Path authority) {}
}
