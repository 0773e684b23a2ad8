import ArgumentParser
import DamageTrials

@main
enum DamageTool {
    static func main() async { await DamageCommand.main() }
}
