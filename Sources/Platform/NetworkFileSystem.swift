import Foundation

/// File systems on which memory maps and locks are not shared with the other machines that write there.
package enum NetworkFileSystem {
    /// The name of a network file system by its magic number in statfs(2) on Linux, or nil for other types.
    package static func name(ofType type: UInt32) -> String? {
        switch type {
        case 0x6969: "NFS"
        case 0x517B: "SMB"
        case 0xFF53_4D42: "CIFS"
        case 0xFE53_4D42: "SMB2"
        case 0x0102_1997: "9P"
        case 0x00C3_6400: "Ceph"
        case 0x5346_414F: "AFS"
        case 0x6B41_4653: "kAFS"
        case 0x7375_7245: "Coda"
        case 0x564C: "NCP"
        case 0x0BD0_0BD0: "Lustre"
        case 0x4750_4653: "GPFS"
        case 0x1983_0326: "BeeGFS"
        default: nil
        }
    }

    /// The name of the network file system that a path lies on, or nil if it lies on another or does not exist.
    package static func name(under path: String) -> String? {
        guard let volume = System.volume(at: path) else { return nil }
        return volume.isLocal == false ? volume.name : volume.type.flatMap(name(ofType:))
    }
}

extension Folder {
    /// Refuses a path on a network file system; for a missing path the nearest folder above it decides.
    package static func refuseNetworkFileSystem(_ path: String) throws(StorageError) {
        var place = path
        while !FileManager.default.fileExists(atPath: place), let slash = place.lastIndex(of: "/"), place != "/" {
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
        if !FileManager.default.fileExists(atPath: place) { place = "." }
        guard let name = NetworkFileSystem.name(under: place) else { return }
        throw StorageError(
            .networkFileSystem,
            "\(path) lies on a network file system (\(name)), where LMDB cannot keep data safe. Use a local disk.")
    }
}
