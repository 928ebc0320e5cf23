package io.berth.cluster.kubernetes;

import io.berth.api.Tree;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A kubeconfig file, as kubectl reads it: contexts, clusters and users, and files named beside it.
final class Kubeconfig {

  private final Path file;
  private final Tree tree;

  Kubeconfig(Path file) {
    this.file = file;
    this.tree = read(file);
  }

  private static Tree read(Path file) {
    if (!Files.isReadable(file)) {
      throw new AccessException("stat %s: no such file or directory".formatted(file));
    }
    try {
      return Yaml.read(Pem.read(file));
    } catch (SyntaxException e) {
      throw new AccessException(
          "error loading config file \"%s\": %s".formatted(file, e.getMessage()));
    }
  }

  Access access(String wanted) {
    var name = wanted.isEmpty() ? tree.textOrEmpty("current-context") : wanted;
    if (name.isEmpty()) {
      throw new AccessException(
          "%s has no current-context; name one with --context".formatted(file));
    }
    var context = entry("contexts", "context", name);
    var cluster = entry("clusters", "cluster", context.textOrEmpty("cluster"));
    var user =
        context.textOrEmpty("user").isEmpty()
            ? new Tree()
            : entry("users", "user", context.textOrEmpty("user"));
    var server = server(cluster, context.textOrEmpty("cluster"));
    var tlsName = cluster.textOrEmpty("tls-server-name");
    var namespace = context.textOrEmpty("namespace");
    return new Access(
        server,
        tlsName.isEmpty() ? host(server) : tlsName,
        server.getScheme().equals("https") ? sockets(cluster, user) : null,
        credentials(user, context.textOrEmpty("user")),
        namespace.isEmpty() ? "default" : namespace);
  }

  private Tree entry(String list, String field, String name) {
    for (var each : tree.trees(list)) {
      if (each.textOrEmpty("name").equals(name)) {
        return each.treeOrEmpty(field);
      }
    }
    throw new AccessException("%s: %s \"%s\" does not exist".formatted(file, field, name));
  }

  private URI server(Tree cluster, String name) {
    var text = cluster.textOrEmpty("server");
    if (text.isEmpty()) {
      throw new AccessException(
          "%s: invalid configuration: no server found for cluster \"%s\"".formatted(file, name));
    }
    if (!cluster.textOrEmpty("proxy-url").isEmpty()) {
      throw new AccessException(
          "%s: cluster \"%s\" has a proxy-url, which is not supported; use a server that can be"
                  .formatted(file, name)
              + " reached directly");
    }
    var uri = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    if (uri.getHost() == null
        || (!"https".equals(uri.getScheme()) && !"http".equals(uri.getScheme()))) {
      throw new AccessException(
          "%s: server \"%s\" of cluster \"%s\" is no https:// or http:// address"
              .formatted(file, text, name));
    }
    return uri;
  }

  private static String host(URI server) {
    var host = server.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private TlsSockets sockets(Tree cluster, Tree user) {
    return TlsSockets.of(
        content(cluster, "certificate-authority"),
        content(user, "client-certificate"),
        content(user, "client-key"),
        cluster.flag("insecure-skip-tls-verify"));
  }

  /// The text in `field-data`, or else in the file that `field` names, relative to this one.
  private @Nullable String content(Tree owner, String field) {
    var data = owner.textOrEmpty(field + "-data");
    if (!data.isEmpty()) {
      try {
        return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        throw new AccessException("%s: %s-data is no base64 text".formatted(file, field));
      }
    }
    var path = owner.textOrEmpty(field);
    return path.isEmpty() ? null : Pem.read(beside(path));
  }

  private Path beside(String path) {
    return file.toAbsolutePath().resolveSibling(path);
  }

  private Credentials credentials(Tree user, String name) {
    var exec = user.tree("exec");
    if (exec != null) {
      return new ExecPlugin(exec, file.toAbsolutePath());
    }
    if (user.tree("auth-provider") != null) {
      throw new AccessException(
          "%s: user \"%s\" has an auth-provider, which Kubernetes has removed; use exec or a token"
              .formatted(file, name));
    }
    if (!user.textOrEmpty("tokenFile").isEmpty()) {
      return Credentials.tokenFile(beside(user.textOrEmpty("tokenFile")));
    }
    if (!user.textOrEmpty("token").isEmpty()) {
      return Credentials.token(user.textOrEmpty("token"));
    }
    if (!user.textOrEmpty("username").isEmpty()) {
      return Credentials.password(user.textOrEmpty("username"), user.textOrEmpty("password"));
    }
    return Credentials.NONE;
  }
}
