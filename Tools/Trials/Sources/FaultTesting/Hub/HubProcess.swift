import Events
import Foundation
import HubCarrier
import Spawning
import Synchronization

/// A hub in a process of its own, which can be killed and started again at the same port.
final class HubProcess: Sendable {
    let port: Int
    let pin: Digest
    private let process: Process

    /// Starts it, and waits until it listens. Port 0 takes a free one. `memory` bounds what its clients make it hold, in bytes; nil for its
    /// default.
    init(in folder: String, port: Int = 0, memory: Int? = nil) throws {
        process = Process()
        process.executableURL = try Products.file("tripstore-hub")
        process.arguments = [
            "serve", "--hub", folder, "--begin", "anyone", "--listen", "127.0.0.1:\(port)", "--self-signed",
            "--json",
        ]
        if let memory { process.arguments? += ["--memory", "\(memory)"] }
        let output = Pipe.made()
        process.standardOutput = output
        try process.start()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
            guard !byte.isEmpty else { break }
            line += byte
        }
        guard let object = try? JSONDecoder().decode(Line.self, from: line), let pin = Digest(object.pin) else {
            process.terminate()
            throw HubTrialError("The hub did not start: it printed '\(String(decoding: line, as: UTF8.self))'.")
        }
        self.port = object.port
        self.pin = pin
    }

    private struct Line: Decodable {
        let port: Int
        let pin: String
    }

    var connector: HubConnector { connector() }

    func connector(_ limits: HubLimits = HubLimits()) -> HubConnector {
        HubConnector(HubAddress(host: "127.0.0.1", port: port), trust: .pinned(pin), limits: limits)
    }

    /// Resident memory, in bytes; nil where the system does not tell it so.
    var memory: Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
        else { return nil }
        return kilobytes * 1024
    }

    /// Looks at the resident memory ten times a second until the task is cancelled, and returns the most that it found.
    func watchMemory() -> Task<Int?, Never> {
        Task {
            var most: Int?
            while !Task.isCancelled {
                most = [most, memory].compactMap { $0 }.max()
                try? await Task.sleep(for: .milliseconds(100))
            }
            return most
        }
    }

    /// Kills it, and waits for its end.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends it in order, and returns its exit code.
    func end() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// Why a trial could not be run.
struct HubTrialError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
