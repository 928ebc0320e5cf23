package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The rules of `windowsOptions`.
final class WindowsOptions {

  private static final int MAX_CREDENTIAL_BYTES = 64 * 1024;
  private static final int MAX_DOMAIN = 256;
  private static final int MAX_USER = 104;
  private static final String DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
  private static final Pattern DNS_DOMAIN =
      Pattern.compile(DNS_LABEL + "(?:\\." + DNS_LABEL + ")*+");
  private static final Pattern NETBIOS_DOMAIN =
      Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
  private static final Pattern BAD_USER = Pattern.compile("[\"/\\\\:;|=,+*?<>@\\[\\]]");
  private static final Pattern DOTS_AND_SPACES = Pattern.compile("[. ]+");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private WindowsOptions() {}

  static void validate(@Nullable Tree options, FieldPath path, FieldErrors errors) {
    if (options == null) {
      return;
    }
    if (options.get("gmsaCredentialSpecName") instanceof String name) {
      Checks.dnsSubdomain(path.child("gmsaCredentialSpecName"), name, errors);
    }
    if (options.get("gmsaCredentialSpec") instanceof String credential) {
      var at = path.child("gmsaCredentialSpec");
      if (credential.isEmpty()) {
        errors.invalid(at, credential, "gmsaCredentialSpec cannot be an empty string");
      } else if (Names.bytes(credential) > MAX_CREDENTIAL_BYTES) {
        errors.invalid(at, credential, "gmsaCredentialSpec size must be under 64 KiB");
      }
    }
    if (options.get("runAsUserName") instanceof String name) {
      userName(name, path.child("runAsUserName"), errors);
    }
  }

  private static void userName(String name, FieldPath path, FieldErrors errors) {
    int backslash = name.indexOf('\\');
    if (name.isEmpty()) {
      errors.invalid(path, name, "runAsUserName cannot be an empty string");
      return;
    }
    if (CONTROL.matcher(name).find()) {
      errors.invalid(path, name, "runAsUserName cannot contain control characters");
      return;
    }
    if (backslash != name.lastIndexOf('\\')) {
      errors.invalid(path, name, "runAsUserName cannot contain more than one backslash");
      return;
    }
    if (backslash >= 0) {
      domain(name, name.substring(0, backslash), path, errors);
    }
    user(name, name.substring(backslash + 1), path, errors);
  }

  private static void domain(String name, String domain, FieldPath path, FieldErrors errors) {
    if (Names.bytes(domain) >= MAX_DOMAIN) {
      errors.invalid(path, name, "runAsUserName's Domain length must be under 256 characters");
    }
    if (!NETBIOS_DOMAIN.matcher(domain).matches() && !DNS_DOMAIN.matcher(domain).matches()) {
      errors.invalid(
          path, name, "runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }

  private static void user(String name, String user, FieldPath path, FieldErrors errors) {
    if (user.isEmpty()) {
      errors.invalid(path, name, "runAsUserName's User cannot be empty");
    } else if (Names.bytes(user) > MAX_USER) {
      errors.invalid(
          path, name, "runAsUserName's User length must not be longer than 104 characters");
    }
    if (DOTS_AND_SPACES.matcher(user).matches()) {
      errors.invalid(path, name, "runAsUserName's User cannot contain only periods or spaces");
    }
    if (BAD_USER.matcher(user).find()) {
      errors.invalid(
          path,
          name,
          "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
    }
  }

  /// Host process containers come all or none, and only with the host's network.
  static void validateHostProcess(Tree spec, FieldPath path, FieldErrors errors) {
    var ofPod = spec.at("securityContext", "windowsOptions", "hostProcess");
    var counts = new int[2];
    Containers.visit(
        spec,
        path,
        (container, at) -> {
          counts[0]++;
          var own = container.at("securityContext", "windowsOptions", "hostProcess");
          if (ofPod != null && own != null && !ofPod.equals(own)) {
            errors.invalid(
                at.child("securityContext", "windowsOptions", "hostProcess"),
                own,
                "pod hostProcess value must be identical if both are specified, was " + ofPod);
          }
          if (Boolean.TRUE.equals(own == null ? ofPod : own)) {
            counts[1]++;
          }
        });
    if (counts[1] > 0) {
      if (counts[0] != counts[1]) {
        errors.invalid(
            path,
            "",
            "If pod contains any hostProcess containers then all containers must be HostProcess"
                + " containers");
      }
      if (!spec.flag("hostNetwork")) {
        errors.invalid(
            path.child("hostNetwork"),
            false,
            "hostNetwork must be true if pod contains any hostProcess containers");
      }
    }
  }
}
