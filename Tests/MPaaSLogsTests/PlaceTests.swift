import Testing

@testable import MPaaSLogs
