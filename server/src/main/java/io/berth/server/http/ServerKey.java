package io.berth.server.http;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// The one key a server has, whoever asks; it can be replaced while the server runs.
///
/// A handshake asks for a name, then for certificate and key of that name: names have a number, and
/// the pair before the newest is kept for handshakes under way.
///
/// A key store would encrypt it with a derived password, only to decrypt it at once: twenty
/// thousand rounds of hashing at every start, for nothing.
final class ServerKey extends X509ExtendedKeyManager {

  private volatile Pair newest;
  private volatile Pair before;

  ServerKey(X509Certificate certificate, PrivateKey key) {
    this.newest = new Pair("0", certificate, key);
    this.before = newest;
  }

  /// From now on handshakes get this one.
  synchronized void replace(X509Certificate certificate, PrivateKey key) {
    before = newest;
    newest = new Pair(String.valueOf(Long.parseLong(before.alias) + 1), certificate, key);
  }

  private record Pair(String alias, X509Certificate certificate, PrivateKey key) {}

  private @Nullable Pair pair(String alias) {
    var current = newest;
    if (alias.equals(current.alias)) {
      return current;
    }
    var earlier = before;
    return alias.equals(earlier.alias) ? earlier : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    var alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  // TLS asks for each kind of key that a cipher suite could use, and takes the first it gets.
  private @Nullable String alias(String keyType) {
    var current = newest;
    return keyType.equals(current.key.getAlgorithm()) ? current.alias : null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    var pair = pair(alias);
    return pair == null ? null : new X509Certificate[] {pair.certificate};
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    var pair = pair(alias);
    return pair == null ? null : pair.key;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }
}
