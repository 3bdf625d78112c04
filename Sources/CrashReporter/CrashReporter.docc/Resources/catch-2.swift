import CrashReporter

try CrashReporter.install(.init(directory: "reports", identifier: "com.example.shop", version: "1.0", build: "1"))
CrashReporter.leaveBreadcrumb("started")
