package io.berth.app;

import io.berth.cli.LocalCluster.CredentialFiles;
import io.berth.cli.UserError;
import io.berth.cluster.kubernetes.AccessException;
import io.berth.cluster.kubernetes.Pem;
import io.berth.server.identity.Authority;
import io.berth.server.identity.StaticTokens;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the credentials that come from elsewhere; one that cannot be read ends the start.
final class GivenCredentials {

  private GivenCredentials() {}

  static StaticTokens tokens(CredentialFiles files) throws IOException {
    var file = files.tokens();
    try {
      return file == null ? StaticTokens.NONE : StaticTokens.read(file);
    } catch (NoSuchFileException e) {
      throw new UserError("the token file %s does not exist".formatted(file));
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
  }

  /// The cluster's authority, with the certificate and the other authorities of the files.
  static Authority in(CredentialFiles files, Authority own) {
    var others = files.clientAuthority();
    return own.with(server(files), others == null ? List.of() : certificates(others));
  }

  private static Authority.@Nullable Identity server(CredentialFiles files) {
    var certificate = files.certificate();
    var key = files.key();
    if (certificate == null || key == null) {
      return null;
    }
    try {
      return new Authority.Identity(certificates(certificate).getFirst(), Pem.key(Pem.read(key)));
    } catch (GeneralSecurityException | AccessException e) {
      throw new UserError("cannot read the key in %s: %s".formatted(key, e.getMessage()));
    }
  }

  private static List<X509Certificate> certificates(Path file) {
    try {
      return Pem.certificates(Pem.read(file));
    } catch (GeneralSecurityException | AccessException e) {
      throw new UserError("cannot read the certificate in %s: %s".formatted(file, e.getMessage()));
    }
  }
}
