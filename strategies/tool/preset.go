package tool

// A shape is how an agent or framework itself offers its skills to a model: a
// model that was trained with it, or a host that decodes it, finds it again.
type shape struct {
	name  string // of the tool
	skill string // its parameter for the skill
	enum  bool   // whose values are listed in the schema
	args  string // its parameter for arguments, or ""
	file  string // its parameter for a file of the skill, or ""
	names bool   // descriptions are left out
	files fileTool
}

// fileTool is a second tool, for a skill's files, where an agent has one.
type fileTool struct{ name, skill, file string }

// own is promptc's shape (D12).
var own = shape{name: "activate_skill", skill: "name", enum: true, args: "args", file: "file"}

// presets are the shapes of known agents: the CLIs as their requests were
// recorded (versions and dates stand in agents.yaml), the frameworks as their
// sources have them.
func presets() map[string]shape {
	return map[string]shape{
		"adk-go":                {name: "load_skill", skill: "name", files: fileTool{"load_skill_resource", "skill_name", "resource_path"}},
		"claude-code":           {name: "Skill", skill: "skill", args: "args"},
		"cline":                 {name: "skills", skill: "skill", args: "args", names: true},
		"copilot-cli":           {name: "skill", skill: "skill"},
		"eino":                  {name: "skill", skill: "skill"},
		"gemini-cli":            {name: "activate_skill", skill: "name", enum: true},
		"goose":                 {name: "load_skill", skill: "name", args: "args"},
		"langchain4j":           {name: "activate_skill", skill: "skill_name", files: fileTool{"read_skill_resource", "skill_name", "relative_path"}},
		"opencode":              {name: "skill", skill: "name"},
		"qwen-code":             {name: "skill", skill: "skill"},
		"spring-ai-agent-utils": {name: "Skill", skill: "command"},
	}
}
