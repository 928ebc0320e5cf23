package io.berth.workloads.org;

import io.berth.api.Resource;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Scope;
import io.berth.workloads.list.Columns;
import io.berth.workloads.state.BerthKinds;

/// Departments and projects: what differs between them in paths, lists and rights.
enum UnitKind {
  DEPARTMENT,
  PROJECT;

  /// As in the names of operations.
  String singular() {
    return access().text();
  }

  String plural() {
    return singular() + "s";
  }

  String path() {
    return "/api/v1/org-unit/" + plural();
  }

  /// The name of its id in paths.
  String id() {
    return singular() + "Id";
  }

  Resource resource() {
    return switch (this) {
      case DEPARTMENT -> BerthKinds.DEPARTMENTS;
      case PROJECT -> BerthKinds.PROJECTS;
    };
  }

  ResourceType access() {
    return switch (this) {
      case DEPARTMENT -> ResourceType.DEPARTMENT;
      case PROJECT -> ResourceType.PROJECT;
    };
  }

  Columns columns() {
    return switch (this) {
      case DEPARTMENT -> UnitView.DEPARTMENT_COLUMNS;
      case PROJECT -> UnitView.PROJECT_COLUMNS;
    };
  }

  Scope scope(String id) {
    return switch (this) {
      case DEPARTMENT -> Scope.department(id);
      case PROJECT -> Scope.project(id);
    };
  }
}
