import TestSupport

extension SourceFile {
    static let specifications = ["Sources/EventLog", "Sources/Trips"].map { "-I" + path($0) }
    static let verifier = path("Tests/CodecTests/verify_log.py")
    static let logFormat = path("Sources/EventLog/EventLog.docc/LogFormat.md")
}
