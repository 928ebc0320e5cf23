package io.berth.schema.cel;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A format that texts can be checked against, with Kubernetes' words for what is wrong.

record NamedFormat(String name, Pattern pattern, int length, String complaint) {

  static final Map<String, NamedFormat> ALL = all();

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

  private static Map<String, NamedFormat> all() {
    var all = new LinkedHashMap<String, NamedFormat>();
    add(
        all,
        "dns1123Label",
        LABEL,
        63,
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
            + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
            + " regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
    add(
        all,
        "dns1123Subdomain",
        LABEL + "(\\." + LABEL + ")*",
        253,
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
            + " '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
            + " regex used for validation is"
            + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
    add(
        all,
        "dns1035Label",
        "[a-z]([-a-z0-9]*[a-z0-9])?",
        63,
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
            + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
            + " 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
    add(
        all,
        "labelValue",
        "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
        63,
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
            + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
            + " 'my_value',  or '12345', regex used for validation is"
            + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    add(
        all,
        "uuid",
        "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}",
        Integer.MAX_VALUE,
        "does not match the UUID format");
    add(
        all,
        "byte",
        "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})",
        Integer.MAX_VALUE,
        "invalid base64");
    add(
        all,
        "date",
        "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
        Integer.MAX_VALUE,
        "invalid date");
    add(
        all,
        "datetime",
        "(?i)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])t([01][0-9]|2[0-3])(:[0-5][0-9]){2}"
            + "(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})",
        Integer.MAX_VALUE,
        "invalid datetime");
    return all;
  }

  private static void add(
      Map<String, NamedFormat> all, String name, String pattern, int length, String complaint) {
    all.put(name, new NamedFormat(name, Pattern.compile(pattern), length, complaint));
  }

  /// What is wrong with the text, or nothing.
  Optional<List<String>> validate(String text) {
    var complaints = new ArrayList<String>();
    if (text.length() > length) {
      complaints.add("must be no more than " + length + " bytes");
    }
    if (!pattern.matcher(text).matches()) {
      complaints.add(complaint);
    }
    return complaints.isEmpty() ? Optional.empty() : Optional.of(complaints);
  }
}
