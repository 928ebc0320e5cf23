package io.berth.server.aggregation;

import io.berth.api.Tree;
import io.berth.server.identity.Authority;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who this server is when it asks others in the name of its callers.
///
/// Whoever holds such a certificate is believed about any user, so its authority signs nothing
/// else, and lives no longer than the process: other servers read it from the cluster.
public final class FrontProxy {

  private static final String NAME = "front-proxy-client";

  private @Nullable Authority authority;

  Authority.Identity identity() {
    return authority().client(NAME, List.of());
  }

  /// Made when it is first needed: keys take a moment, and others start meanwhile.
  private synchronized Authority authority() {
    if (authority == null) {
      authority = Authority.ofFrontProxy();
    }
    return authority;
  }

  /// What other servers must know to believe it: the data of
  /// `kube-system/extension-apiserver-authentication`.
  public Tree trust(String clientAuthority) {
    return Tree.of("client-ca-file", clientAuthority)
        .put("requestheader-allowed-names", "[\"%s\"]".formatted(NAME))
        .put("requestheader-client-ca-file", authority().certificatePem())
        .put("requestheader-extra-headers-prefix", "[\"X-Remote-Extra-\"]")
        .put("requestheader-group-headers", "[\"X-Remote-Group\"]")
        .put("requestheader-uid-headers", "[\"X-Remote-Uid\"]")
        .put("requestheader-username-headers", "[\"X-Remote-User\"]");
  }
}
