import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@Suite("The identity of a mount")
struct MountIdentityTests {
    @Test("It stays as long as the medium is mounted, whatever the path on it")
    func staysTheSame() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let identity = MountIdentity.of(folder)
        #expect(MountIdentity.of(folder) == identity)
        #expect(MountIdentity.of("/dev/shm") == "memory" || !FileManager.default.fileExists(atPath: "/dev/shm"))
        #expect(MountIdentity.of(folder + "/there is no such file") == "")
    }

    #if os(Linux)
        @Test("A medium that is mounted again has another", .enabled(if: LoopMedium.isAvailable))
        func mountedAgain() throws {
            let medium = try LoopMedium()
            var found: Set<String> = []
            for _ in 0..<3 {
                try medium.mount()
                let identity = MountIdentity.of(medium.path)
                #expect(!identity.isEmpty)
                #expect(MountIdentity.of(medium.path + "/lost+found") == identity)
                found.insert(identity)
                medium.unmount()
            }
            #expect(found.count == 3, "\(found)")
        }

        @Test("Where the kernel numbers mounts for good, each mount has a number of its own")
        func numbers() throws {
            guard let first = MountIdentity.mountNumber(at: "/"), MemoryFileSystem.isAvailable else { return }
            let (one, two) = (try MemoryFileSystem(kibibytes: 64), try MemoryFileSystem(kibibytes: 64))
            let numbers = [one.path, two.path].map { MountIdentity.mountNumber(at: $0) }
            #expect(Set(numbers + [first]).count == 3)
            #expect(MountIdentity.of(one.path) == MountIdentity.of(two.path), "what is in memory goes with its mount")
            withExtendedLifetime((one, two)) {}
        }
    #endif
}

/// A small medium in a file, which can be mounted again and again. Needs the right to mount.
private final class LoopMedium {
    let path: String
    private let image: String

    static let isAvailable: Bool = {
        guard let medium = try? LoopMedium(), (try? medium.mount()) != nil else { return false }
        medium.unmount()
        return true
    }()

    struct NotPermitted: Error {}

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("mount"), withIntermediateDirectories: true)
        path = folder.path + "/mount"
        image = folder.path + "/image"
        try Data(count: 4 << 20).write(to: URL(fileURLWithPath: image))
        guard Program.succeeds("mkfs.ext4", "-q", image) else { throw NotPermitted() }
    }

    deinit {
        unmount()
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: image).deletingLastPathComponent())
    }

    func mount() throws {
        guard Program.succeeds("mount", "-o", "loop", image, path) else { throw NotPermitted() }
    }

    func unmount() { _ = Program.succeeds("umount", path) }
}
