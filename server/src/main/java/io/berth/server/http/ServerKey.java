package io.berth.server.http;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// The one key a server has, whoever asks.
///
/// A key store would encrypt it with a derived password, only to decrypt it at once: twenty
/// thousand rounds of hashing at every start, for nothing.
final class ServerKey extends X509ExtendedKeyManager {

  private static final String ALIAS = "server";

  private final X509Certificate certificate;
  private final PrivateKey key;

  ServerKey(X509Certificate certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
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
    return alias(keyType) == null ? null : new String[] {ALIAS};
  }

  // TLS asks for each kind of key that a cipher suite could use, and takes the first it gets.
  private @Nullable String alias(String keyType) {
    return keyType.equals(key.getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return alias.equals(ALIAS) ? new X509Certificate[] {certificate} : null;
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return alias.equals(ALIAS) ? key : null;
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
