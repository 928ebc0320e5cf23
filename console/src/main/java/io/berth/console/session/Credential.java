package io.berth.console.session;

import io.berth.server.http.Call;
import java.security.cert.X509Certificate;
import java.util.List;

/// What somebody showed to be let in. It stays in memory, and is judged anew at each request.
///
/// @param authorization the header of that name, `""` if there was none
public record Credential(List<X509Certificate> certificates, String authorization) {

  /// Nothing was shown.
  public static final Credential NONE = new Credential(List.of(), "");

  public Credential {
    certificates = List.copyOf(certificates);
  }

  public static Credential of(Call call) {
    return new Credential(call.certificates(), call.header("authorization"));
  }

  /// Says nothing of what it holds.
  @Override
  public String toString() {
    return "Credential";
  }
}
