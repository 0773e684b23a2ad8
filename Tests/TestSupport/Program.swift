import Foundation
import Spawning

/// A program of this machine, run to its end.
public struct Program {
    public struct Output: Sendable {
        public let code: Int32
        public let bytes: [UInt8]
        /// Its standard error.
        public let complaint: String

        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Runs a program found by name; nil if it does not exist.
    public static func run(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> Output? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files in place of pipes: none can fill up during the wait for another.
        func file(_ name: String, _ contents: [UInt8]) throws -> FileHandle {
            let url = folder.appendingPathComponent(name)
            try Data(contents).write(to: url)
            return try FileHandle(forUpdating: url)
        }
        let (inputFile, outputFile) = (try file("input", input), try file("output", []))
        let complaintFile = try file("complaint", [])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardInput = inputFile
        process.standardOutput = outputFile
        process.standardError = complaintFile
        try process.start()
        process.waitUntilExit()
        // The exit code of env if there is no such program.
        if process.terminationStatus == 127 { return nil }
        let output = try Data(contentsOf: folder.appendingPathComponent("output"))
        let complaint = try Data(contentsOf: folder.appendingPathComponent("complaint"))
        return Output(
            code: process.terminationStatus, bytes: [UInt8](output),
            complaint: String(decoding: complaint, as: UTF8.self))
    }

    /// Whether a program exists and succeeds with these arguments.
    public static func succeeds(_ name: String, _ arguments: String...) -> Bool {
        (try? run(name, arguments))??.code == 0
    }
}

/// Files of the package's sources.
public enum SourceFile {
    /// The path of a file, from one relative to the package's folder.
    public static func path(_ path: String) -> String {
        // This file lies two folders below that.
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../" + path).standardized
            .path
    }
}
