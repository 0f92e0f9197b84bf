"""transformers: tokens generated one by one by a small GPT-2 of random weights."""
import torch
import transformers

transformers.logging.set_verbosity_error()
torch.manual_seed(1)
config = transformers.GPT2Config(n_layer=4, n_head=4, n_embd=256, vocab_size=1000, bos_token_id=0, eos_token_id=None)
model = transformers.GPT2LMHeadModel(config).cuda().eval()
prompt = torch.arange(16, device="cuda").unsqueeze(0)
tokens = model.generate(prompt, max_new_tokens=40, do_sample=False, pad_token_id=0)
print(tokens.shape[1], int(tokens.sum().item()))
