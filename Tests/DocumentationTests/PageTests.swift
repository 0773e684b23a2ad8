import Foundation
import TestSupport
import Testing

@Suite("README and pages")
struct PageTests {
    private static let all =
        ["README.md", "Benchmarks/README.md", "Benchmarks/Results.md", "Tools/Trials/README.md"] + Page.forApps
        + Page.ofOthers

    @Test("README and the pages keep to their numbers of words")
    func budgets() throws {
        #expect(try Page("README.md").words <= 1_200)
        #expect(Page.forApps.count > 30 && Page.ofOthers.count > 8)
        let words = try Page.forApps.map { try Page($0).words }.reduce(0, +)
        #expect(words <= 35_000, "\(words) words in the pages for apps")
    }

    @Test("Every link in README and pages leads to a file that exists, and to a heading in it", arguments: all)
    func links(path: String) throws {
        let page = try Page(path)
        for link in page.links where !link.hasPrefix("https://") && !link.hasPrefix("http://") {
            #expect(!link.hasPrefix("doc:"), "\(path): a code host does not follow <\(link)>")
            let (file, anchor) = page.target(of: link)
            let exists = FileManager.default.fileExists(atPath: SourceFile.path(file))
            #expect(exists, "\(path): \(link)")
            if exists, let anchor, file.hasSuffix(".md") {
                #expect(try Page(file).anchors.contains(anchor), "\(path): no heading for \(link)")
            }
        }
    }

    @Test("Every page is reached from README, directly or by other pages")
    func reached() throws {
        var (seen, next): (Set<String>, [String]) = (["README.md"], ["README.md"])
        while let path = next.popLast() {
            let page = try Page(path)
            for link in page.links where !link.contains("://") {
                let file = page.target(of: link).path
                if file.hasSuffix(".md"), seen.insert(file).inserted { next.append(file) }
            }
        }
        #expect(Set(Page.forApps + Page.ofOthers).subtracting(seen) == [])
    }
}
