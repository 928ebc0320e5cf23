package io.berth.kinds.core;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.regex.Pattern;

/// The rules of `windowsOptions`.
///
/// Mirrors: core/validation.validateWindowsSecurityContextOptions
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

  static void validate(Cursor options) {
    options.at("gmsaCredentialSpecName").ifSet().follows(Names::dnsSubdomain);
    var credential = options.at("gmsaCredentialSpec").ifSet();
    if (credential.isEmpty()) {
      credential.invalid("gmsaCredentialSpec cannot be an empty string");
    } else if (Names.bytes(credential.text()) > MAX_CREDENTIAL_BYTES) {
      credential.invalid("gmsaCredentialSpec size must be under 64 KiB");
    }
    options.at("runAsUserName").ifSet(WindowsOptions::userName);
  }

  private static void userName(Cursor field) {
    var name = field.text();
    int backslash = name.indexOf('\\');
    if (name.isEmpty()) {
      field.invalid("runAsUserName cannot be an empty string");
    } else if (CONTROL.matcher(name).find()) {
      field.invalid("runAsUserName cannot contain control characters");
    } else if (backslash != name.lastIndexOf('\\')) {
      field.invalid("runAsUserName cannot contain more than one backslash");
    } else {
      if (backslash >= 0) {
        domain(field, name.substring(0, backslash));
      }
      user(field, name.substring(backslash + 1));
    }
  }

  private static void domain(Cursor field, String domain) {
    if (Names.bytes(domain) >= MAX_DOMAIN) {
      field.invalid("runAsUserName's Domain length must be under 256 characters");
    }
    if (!NETBIOS_DOMAIN.matcher(domain).matches() && !DNS_DOMAIN.matcher(domain).matches()) {
      field.invalid("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }

  private static void user(Cursor field, String user) {
    if (user.isEmpty()) {
      field.invalid("runAsUserName's User cannot be empty");
    } else if (Names.bytes(user) > MAX_USER) {
      field.invalid("runAsUserName's User length must not be longer than 104 characters");
    }
    if (DOTS_AND_SPACES.matcher(user).matches()) {
      field.invalid("runAsUserName's User cannot contain only periods or spaces");
    }
    if (BAD_USER.matcher(user).find()) {
      field.invalid(
          "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
    }
  }

  /// Host process containers come all or none, and only with the host's network.
  static void validateHostProcess(Cursor spec) {
    var ofPod = spec.at("securityContext", "windowsOptions", "hostProcess");
    var containers = Containers.all(spec);
    int hostProcesses = 0;
    for (var container : containers) {
      var own = container.at("securityContext", "windowsOptions", "hostProcess");
      if (ofPod.isSet() && own.isSet() && ofPod.flag() != own.flag()) {
        own.invalid(
            "pod hostProcess value must be identical if both are specified, was " + ofPod.flag());
      }
      hostProcesses += (own.isSet() ? own : ofPod).flag() ? 1 : 0;
    }
    if (hostProcesses == 0) {
      return;
    }
    if (hostProcesses < containers.size()) {
      spec.invalid(
          "",
          "If pod contains any hostProcess containers then all containers must be HostProcess"
              + " containers");
    }
    if (!spec.flag("hostNetwork")) {
      spec.at("hostNetwork")
          .invalid(false, "hostNetwork must be true if pod contains any hostProcess containers");
    }
  }
}
