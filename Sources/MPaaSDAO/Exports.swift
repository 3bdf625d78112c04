// The values, errors and connections are those of compiled documents.
@_exported public import MPaaSDAORuntime
