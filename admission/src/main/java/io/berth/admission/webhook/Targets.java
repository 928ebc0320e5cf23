package io.berth.admission.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/// Where the server lets itself be sent. Webhooks on this machine and in private networks are
/// ordinary; what clouds serve on link-local addresses, such as the credentials of a machine, is
/// for nobody behind an API.
public final class Targets {

  private Targets() {}

  public static void check(URI target) throws IOException {
    var host = target.getHost();
    if (host == null) {
      throw new IOException("no Host in request URL");
    }
    InetAddress[] addresses;
    try {
      addresses = InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      var worded = new UnknownHostException("dial tcp: lookup %s: no such host".formatted(host));
      worded.initCause(e);
      throw worded;
    }
    for (var address : addresses) {
      if (isForbidden(address)) {
        throw new IOException(
            "address %s is link-local, unspecified or multicast, where nobody is called"
                .formatted(address.getHostAddress()));
      }
    }
  }

  private static boolean isForbidden(InetAddress address) {
    return address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || isCloudMetadata(address);
  }

  /// `fd00:ec2::/32`, which a cloud uses as it uses link-local addresses.
  private static boolean isCloudMetadata(InetAddress address) {
    var bytes = address.getAddress();
    return bytes.length == 16
        && bytes[0] == (byte) 0xfd
        && bytes[1] == 0
        && bytes[2] == 0x0e
        && bytes[3] == (byte) 0xc2;
  }
}
