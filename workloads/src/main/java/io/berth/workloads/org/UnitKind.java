package io.berth.workloads.org;

import io.berth.api.Resource;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Scope;
import io.berth.workloads.list.Columns;
import io.berth.workloads.state.BerthKinds;
import java.util.function.Function;

/// Departments and projects: what differs between them in paths, lists and rights.
enum UnitKind {
  DEPARTMENT(
      BerthKinds.DEPARTMENTS,
      ResourceType.DEPARTMENT,
      UnitView.DEPARTMENT_COLUMNS,
      Scope::department),
  PROJECT(BerthKinds.PROJECTS, ResourceType.PROJECT, UnitView.PROJECT_COLUMNS, Scope::project);

  private final Resource resource;
  private final ResourceType access;
  private final Columns columns;
  private final Function<String, Scope> scope;

  UnitKind(Resource resource, ResourceType access, Columns columns, Function<String, Scope> scope) {
    this.resource = resource;
    this.access = access;
    this.columns = columns;
    this.scope = scope;
  }

  /// As in the names of operations.
  String singular() {
    return access.text();
  }

  String plural() {
    return access.text() + "s";
  }

  String path() {
    return "/api/v1/org-unit/" + plural();
  }

  /// The name of its id in paths.
  String id() {
    return singular() + "Id";
  }

  Resource resource() {
    return resource;
  }

  ResourceType access() {
    return access;
  }

  Columns columns() {
    return columns;
  }

  Scope scope(String id) {
    return scope.apply(id);
  }
}
